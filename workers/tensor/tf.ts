// Registers the gradients of tfjs-core's operations: its own bundle for Node leaves them out.
import '@tensorflow/tfjs-layers';
import * as tf from '@tensorflow/tfjs-core';

// Without this tfjs advises on each start to install another backend.
tf.enableProdMode();

/** The one tfjs-core of the process, with its gradients. Everybody imports it from here. */
export { tf };

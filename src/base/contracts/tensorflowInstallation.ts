import { z } from 'zod';

/** Where `warren backend install tensorflow` writes down what it installed: within Warren's home. */
export const TENSORFLOW_FOLDER = 'tensorflow';
export const TENSORFLOW_RECORD = 'installation.json';

/** The npm package with tfjs's backend for TensorFlow: its kernels in JavaScript, and the sources of its binding. */
export const TENSORFLOW_PACKAGE = '@tensorflow/tfjs-node-gpu';

/** TensorFlow's library and the binding built for it. */
export const tensorflowInstallationSchema = z.object({
  /** Of TensorFlow. */
  version: z.string(),
  /** The folder that was named or filled: what WARREN_LIBTENSORFLOW is compared with. Absolute. */
  folder: z.string(),
  /** Its libraries, absolute. */
  libraries: z.array(z.string()).min(1),
  /** The addon of Node that calls them, absolute. */
  binding: z.string(),
  /** Whether the library was built with CUDA. */
  cuda: z.boolean(),
});
export type TensorflowInstallation = z.output<typeof tensorflowInstallationSchema>;

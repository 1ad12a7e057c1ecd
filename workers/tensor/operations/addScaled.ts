import { tf } from '../tf.ts';
import { inPlace, wasmBackendInUse } from './wasmBackendInUse.ts';
import { computeInPlace, webgpuInPlace } from './webgpuInUse.ts';

/** variable = kept × variable + scale × tensor, of one shape, in place where that can be. */
export function addScaled(
  variable: tf.Variable,
  tensor: tf.Tensor,
  { kept, scale }: { kept: number; scale: number },
): void {
  const webgpu = webgpuInPlace([variable]);
  if (webgpu !== null) {
    const body = 'result[index] = uniforms.kept * result[index] + uniforms.scale * A[index];';
    computeInPlace(webgpu, variable, { name: 'addScaled', inputs: { A: tensor }, numbers: { kept, scale }, body });
    return;
  }
  if (!inPlace([variable])) {
    tf.tidy(() => variable.assign(tf.add(tf.mul(variable, kept), tf.mul(tensor, scale))));
    return;
  }
  const backend = wasmBackendInUse()!;
  const [to, from] = [backend.addressOf(variable), backend.addressOf(tensor)];
  backend.compute(variable.size, 'addScaled', to, from, variable.size, kept, scale);
}

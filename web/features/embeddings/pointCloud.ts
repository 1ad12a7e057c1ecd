import type { Projection } from './camera.ts';

// A small program for points alone: libraries that draw scenes weigh ten times this page.

export type Color = readonly [red: number, green: number, blue: number];

export interface CloudMark {
  row: number;
  /** Across, in pixels of the page. */
  size: number;
  look: 'disc' | 'ring';
  color: Color;
}

export interface PointCloud {
  /** (rows, 3) */
  setPlaces(places: Float32Array<ArrayBuffer>): void;
  /** (rows, 4) Red, green, blue and opacity, 0 to 255. */
  setColors(colors: Uint8Array<ArrayBuffer>): void;
  draw(request: DrawRequest): void;
  free(): void;
}

export interface DrawRequest {
  projection: Projection;
  /** Whether points hide those behind them. */
  inSpace: boolean;
  /** Across, in pixels of the page. */
  pointSize: number;
  ground: Color;
  marks: readonly CloudMark[];
}

const PLACES = `#version 300 es
in vec3 place;
in vec4 color;
uniform mat3 turn;
uniform vec2 stretch;
uniform vec2 shift;
uniform float size;
uniform float depth;
uniform vec4 mark;
out vec4 ink;
void main() {
  vec3 seen = turn * place;
  gl_Position = vec4(seen.xy * stretch + shift, clamp(-seen.z * 0.2, -0.99, 0.99), 1.0);
  gl_PointSize = size * (1.0 + depth * clamp(seen.z, -1.0, 1.0));
  ink = mark.a > 0.0 ? mark : color;
}`;

const DISCS = `#version 300 es
precision mediump float;
in vec4 ink;
uniform float hole;
out vec4 painted;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float far = dot(at, at);
  if (far > 1.0 || far < hole) discard;
  painted = vec4(ink.rgb * ink.a, ink.a);
}`;

/** Points on a canvas by WebGL 2; null where the browser has none. */
export function pointCloud(canvas: HTMLCanvasElement): PointCloud | null {
  const gl = canvas.getContext('webgl2', { antialias: false, powerPreference: 'high-performance' });
  const program = gl === null ? null : linked(gl);
  if (gl === null || program === null) return null;
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const at = {
    ...{ turn: uniform('turn'), stretch: uniform('stretch'), shift: uniform('shift'), size: uniform('size') },
    ...{ depth: uniform('depth'), mark: uniform('mark'), hole: uniform('hole') },
  };
  const [places, colors] = [gl.createBuffer(), gl.createBuffer()];
  let rows = 0;
  // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's, no hook
  gl.useProgram(program);
  attach(gl, places, { location: gl.getAttribLocation(program, 'place'), width: 3, type: gl.FLOAT });
  attach(gl, colors, { location: gl.getAttribLocation(program, 'color'), width: 4, type: gl.UNSIGNED_BYTE });
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  return {
    setPlaces(values) {
      rows = values.length / 3;
      gl.bindBuffer(gl.ARRAY_BUFFER, places);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    },
    setColors(values) {
      gl.bindBuffer(gl.ARRAY_BUFFER, colors);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    },
    draw({ projection, inSpace, pointSize, ground, marks }) {
      const ratio = canvas.width / Math.max(1, canvas.clientWidth);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(ground[0] / 255, ground[1] / 255, ground[2] / 255, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      if (inSpace) gl.enable(gl.DEPTH_TEST);
      else gl.disable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.uniformMatrix3fv(at.turn, true, projection.turn);
      gl.uniform2f(at.stretch, ...projection.stretch);
      gl.uniform2f(at.shift, ...projection.shift);
      gl.uniform1f(at.depth, inSpace ? 0.35 : 0);
      gl.uniform1f(at.size, pointSize * ratio);
      gl.uniform1f(at.hole, 0);
      gl.uniform4f(at.mark, 0, 0, 0, 0);
      gl.drawArrays(gl.POINTS, 0, rows);
      gl.disable(gl.DEPTH_TEST);
      gl.uniform1f(at.depth, 0);
      for (const { row, size, look, color } of marks) {
        if (row >= rows) continue;
        gl.uniform1f(at.size, size * ratio);
        gl.uniform1f(at.hole, look === 'ring' ? 0.55 : 0);
        gl.uniform4f(at.mark, color[0] / 255, color[1] / 255, color[2] / 255, 1);
        gl.drawArrays(gl.POINTS, row, 1);
      }
    },
    free() {
      gl.deleteBuffer(places);
      gl.deleteBuffer(colors);
      gl.deleteProgram(program);
    },
  };
}

function linked(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, PLACES],
    [gl.FRAGMENT_SHADER, DISCS],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : null;
}

function attach(
  gl: WebGL2RenderingContext,
  buffer: WebGLBuffer,
  { location, width, type }: { location: number; width: number; type: number },
): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, width, type, type === gl.UNSIGNED_BYTE, 0, 0);
}

import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const FOLDERS = ['/usr/lib/chromium', '/usr/lib/chromium-browser', '/opt/google/chrome'];
/** Keeps a library in the process when what loaded it has let it go; glibc's value. */
const KEEP_LOADED = 0x1000;

/** Chromium's folder with SwiftShader, a Vulkan device in software; null where there is none. */
function swiftShaderFolder(): string | null {
  const wanted = process.env.WARREN_CHROMIUM;
  const folders = wanted === undefined || wanted === '' ? FOLDERS : [dirname(wanted), ...FOLDERS];
  return folders.find((folder) => existsSync(join(folder, 'vk_swiftshader_icd.json'))) ?? null;
}

/**
 * Lets WebGPU in this process find SwiftShader, which comes with Chromium. Null when it will, else why it cannot; with
 * `CI=true` that throws instead. Call it before anything loads Dawn.
 */
export function enableSoftwareGpu(): string | null {
  const folder = swiftShaderFolder();
  if (folder === null) {
    const reason = 'Chromium with SwiftShader is not installed: WebGPU cannot be tested here';
    if (process.env.CI === 'true') throw new Error(reason);
    return reason;
  }
  process.env.VK_ICD_FILENAMES = join(folder, 'vk_swiftshader_icd.json');
  keepLibrary(join(folder, 'libvulkan.so.1'));
  return null;
}

/** Where the system has no Vulkan loader, Dawn takes the one that the process already has: Chromium's. */
function keepLibrary(file: string): void {
  try {
    process.dlopen({ exports: {} }, file, constants.dlopen.RTLD_NOW | KEEP_LOADED);
  } catch {
    // it is loaded, and no module of Node's: that is what was wanted
  }
}

/** How often it is looked, and above how many switches a second others count as wanting the cores. */
const LOOK_MS = 100;
const HIGH_PER_SECOND = 40;

/** Whether other programs want the processor's cores. */
export interface ProcessorLoad {
  isHigh(): boolean;
}

/**
 * What the last tenth of a second was like, by how often the system took a core from a thread of this process for another: a load average
 * lags, and knows nothing of the cores that a container may use. Never high where the system does not count (Windows).
 */
export function processorLoad(
  now: () => number = () => performance.now(),
  switches: () => number = () => process.resourceUsage().involuntaryContextSwitches,
): ProcessorLoad {
  let [looked, counted] = [now(), switches()];
  let high = false;
  return {
    isHigh() {
      const elapsed = now() - looked;
      if (elapsed < LOOK_MS) return high;
      const count = switches();
      high = (1000 * (count - counted)) / elapsed > HIGH_PER_SECOND;
      looked += elapsed;
      counted = count;
      return high;
    },
  };
}

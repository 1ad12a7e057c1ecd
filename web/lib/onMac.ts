/** Whether keys are named as on a Mac. */
export const ON_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** `warning`: it works, and somebody should know something; `unreachable`: it did not answer; `simulated`: the sandbox; `unchecked`: not checked yet, or it cannot be. */
export const carrierStates = [
  'ok',
  'warning',
  'refused',
  'unreachable',
  'simulated',
  'unchecked',
] as const;

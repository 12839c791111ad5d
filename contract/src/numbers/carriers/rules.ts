/**
 * `warning`: works, with a remark for the operator; `unreachable`: did not answer; `simulated`: the
 * sandbox; `unchecked`: not checked yet, or can't be checked.
 */
export const carrierStates = [
  'ok',
  'warning',
  'refused',
  'unreachable',
  'simulated',
  'unchecked',
] as const;

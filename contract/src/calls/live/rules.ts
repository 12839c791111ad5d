/** Calls that are running: transfer, park, third persons, supervisors, the live board. Module: calls. */

export const monitorModes = ['listen', 'whisper', 'barge'] as const;

export type MonitorMode = (typeof monitorModes)[number];

/**
 * What a running call is doing. `ringing`: somebody is rung for it the first time; `waiting`: a menu, a greeting or an
 * announcement; `transferring`: somebody is rung for it again; `consulting`: held while the agent asks somebody.
 */
export const liveStates = [
  'ringing',
  'waiting',
  'talking',
  'held',
  'consulting',
  'transferring',
  'parked',
  'voicemail',
  'ending',
] as const;

export type LiveState = (typeof liveStates)[number];

/** How a supervisor joins a call: hears both, speaks to the agent only, or speaks to both. */

export const monitorModes = ['listen', 'whisper', 'barge'] as const;

export type MonitorMode = (typeof monitorModes)[number];

/**
 * State of a live call. `ringing`: the first destination is ringing; `waiting`: in a menu, greeting
 * or announcement; `transferring`: a transfer target is ringing; `consulting`: held while the agent
 * talks to the transfer target.
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

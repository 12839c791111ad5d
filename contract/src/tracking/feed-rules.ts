/**
 * What the live feed tells of (A8.8). `swap`: the page said that it shows the visitor's number;
 * `exhausted`: no number was free for a visitor.
 */
export const feedTypes = [
  'session_started',
  'swap',
  'exhausted',
  'heartbeat',
  'session_ended',
  'call',
  'text',
  'form',
] as const;
export type FeedType = (typeof feedTypes)[number];

/** Rows that the live feed answers with at most. */
export const feedSize = 100;

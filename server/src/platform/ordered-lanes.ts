import { crc32 } from 'node:zlib';

/** Lanes of a company in which events wait; events of bulk work have as many of their own. */
export const LANES = 4;

/** Where an event with this key waits: those of one lane are handled one after another. */
export const laneOf = (key: string, bulk: boolean): number =>
  (crc32(key) % LANES) + (bulk ? LANES : 0);

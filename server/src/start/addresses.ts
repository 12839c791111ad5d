import { z } from 'zod';

/**
 * Where the processes of one installation listen. Each binds first and says what it got; the supervisor tells the others.
 * 0: not bound yet.
 */
export interface Addresses {
  port: number;
  mediaPort: number;
  sipPort: number;
  /** The address people use. */ publicUrl: string;
}

/** What one process has bound. */
export type BoundPorts = { [Name in 'port' | 'mediaPort' | 'sipPort']?: number | undefined };

/** From a process to its supervisor: ports it has bound. */
export const ListeningMessage = z.object({
  listening: z.object({ port: z.number(), mediaPort: z.number(), sipPort: z.number() }).partial(),
});
/** From the supervisor to its processes: where everybody listens now. */
export const AddressesMessage = z.object({
  addresses: z.object({
    port: z.number(),
    mediaPort: z.number(),
    sipPort: z.number(),
    publicUrl: z.string(),
  }),
});

import { z } from 'zod';

/**
 * The ports of one installation's processes. Each process binds first and reports its port; the
 * supervisor passes it on to the others. 0: not bound yet.
 */
export interface Addresses {
  port: number;
  mediaPort: number;
  sipPort: number;
  /** The URL that people use. */ publicUrl: string;
}

/** The ports that one process has bound. */
export type BoundPorts = { [Name in 'port' | 'mediaPort' | 'sipPort']?: number | undefined };

/** From a process to its supervisor: the ports it has bound. */
export const ListeningMessage = z.object({
  listening: z.object({ port: z.number(), mediaPort: z.number(), sipPort: z.number() }).partial(),
});
/** From the supervisor to its processes: the ports of all of them. */
export const AddressesMessage = z.object({
  addresses: z.object({
    port: z.number(),
    mediaPort: z.number(),
    sipPort: z.number(),
    publicUrl: z.string(),
  }),
});

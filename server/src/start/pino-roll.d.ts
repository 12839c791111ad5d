// The package ships no types: only what we use.
declare module 'pino-roll' {
  import type { Writable } from 'node:stream';
  export default function roll(options: {
    file: string;
    extension: string;
    frequency: 'daily';
    size: string;
    limit: { count: number; removeOtherLogFiles: boolean };
    mkdir: boolean;
    mode: number;
  }): Promise<Writable>;
}

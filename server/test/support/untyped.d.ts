// Test servers that ship no types: only what our tests use.
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: unknown[] }[];
    });
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';
  export class SMTPServer {
    constructor(options: {
      authOptional: boolean;
      disabledCommands: string[];
      onRcptTo?: (
        address: { address: string },
        session: unknown,
        done: (refused: Error | null) => void,
      ) => void;
      onData: (
        stream: Readable,
        session: {
          envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] };
        },
        done: () => void,
      ) => void;
    });
    listen(port: number, host: string): Server;
    close(closed?: () => void): void;
  }
}
declare module 'http_ece' {
  const ece: {
    decrypt(
      body: Buffer,
      options: { version: 'aes128gcm'; privateKey: import('node:crypto').ECDH; authSecret: string },
    ): Buffer;
  };
  export default ece;
}

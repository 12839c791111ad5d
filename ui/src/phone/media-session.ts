import type { MediaClientOptions } from './phone-types.ts';
import { sendCommand, stayJoined, type MediaEvent } from './signaling.ts';

interface MediaSessionOptions extends Pick<MediaClientOptions, 'url' | 'token'> {
  onJoining: () => void;
  onEvent: (event: MediaEvent) => void;
  /** The token was refused: the session ends. */
  onRefused: () => void;
}

/**
 * A phone's registration at the media plane: joined with a token, and again after each lost
 * connection.
 */
export class MediaSession {
  readonly #options: MediaSessionOptions;
  /** Names the session at the server, which continues its calls; null before the first join. */
  #id: string | null = null;
  #running: AbortController | null = null;
  #stream: AbortController | null = null;

  constructor(options: MediaSessionOptions) {
    this.#options = options;
  }

  /** Resolves after the first join; rejects when the token is refused. */
  async join(): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    await new Promise<void>((resolve, reject) => {
      void this.#stayJoined(running, resolve, reject);
    });
  }

  /** Drops the connection and joins again. */
  rejoin(): void {
    this.#stream?.abort();
  }

  leave(): void {
    this.#running?.abort();
    this.#running = null;
    this.#id = null;
  }

  /** Sends a command. Throws PhoneError with the server's status when it is rejected. */
  send<Answer>(verb: string, body: object): Promise<Answer> {
    return sendCommand<Answer>(this.#options.url, this.#id, verb, body);
  }

  async #stayJoined(
    running: AbortController,
    joined: () => void,
    refused: (reason: unknown) => void,
  ): Promise<void> {
    await stayJoined(running.signal, {
      url: this.#options.url,
      credentials: async () => ({ token: await this.#options.token(), resume: this.#id }),
      onJoining: () => this.#options.onJoining(),
      onStream: (stream) => {
        this.#stream = stream;
      },
      onEvent: (event) => {
        if (event.type === 'joined') {
          this.#id = event.session;
          joined();
        }
        this.#options.onEvent(event);
      },
      onRefused: (error) => {
        this.#running = null;
        this.#options.onRefused();
        refused(error);
      },
    });
    // Left before the first join: no error.
    joined();
  }
}

/** Reading somebody's web page, as a reviewer would. */
export type PageRead =
  | { ok: true; status: number; text: string; simulated: boolean }
  | {
      ok: false;
      why: 'unreachable' | 'private_address' | 'too_many_redirects' | 'not_web';
      simulated: boolean;
    };
export interface PageReader {
  /** At most 512 kB and five seconds; redirects are followed three times, each address looked at anew. Never throws. */
  read(url: string): Promise<PageRead>;
}

/** Reading somebody's web page, as a reviewer would. */
export type PageResult =
  | { ok: true; status: number; text: string; simulated: boolean }
  | {
      ok: false;
      why: 'unreachable' | 'private_address' | 'too_many_redirects' | 'not_web';
      simulated: boolean;
    };
export interface PageReader {
  /** At most 512 kB and ten seconds; redirects are followed three times, each address looked at anew. Never throws. */
  fetchPage(url: string): Promise<PageResult>;
}

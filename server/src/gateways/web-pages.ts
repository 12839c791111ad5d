/** A web page of a third party, as a reviewer would see it. */
export type PageResult =
  | { ok: true; status: number; text: string; simulated: boolean }
  | {
      ok: false;
      why: 'unreachable' | 'private_address' | 'too_many_redirects' | 'not_web';
      simulated: boolean;
    };
export interface PageReader {
  /** At most 512 kB and ten seconds. Follows three redirects and checks each address. Never throws. */
  fetchPage(url: string): Promise<PageResult>;
}

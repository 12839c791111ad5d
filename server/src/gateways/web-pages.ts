/** A web page of a third party, as anyone would see it. */
export type PageResult =
  | {
      ok: true;
      status: number;
      /** Where redirects led to. */
      url: string;
      /** Of the last response, by lower-case name. */
      headers: Readonly<Record<string, string>>;
      text: string;
      simulated: boolean;
    }
  | {
      ok: false;
      why: 'unreachable' | 'timeout' | 'private_address' | 'too_many_redirects' | 'not_web';
      simulated: boolean;
    };
export interface PageReader {
  /**
   * At most 512 kB, unless more is asked for, and ten seconds. Follows three redirects and checks
   * each address. Never throws.
   */
  fetchPage(url: string, options?: { maxBytes?: number; userAgent?: string }): Promise<PageResult>;
}

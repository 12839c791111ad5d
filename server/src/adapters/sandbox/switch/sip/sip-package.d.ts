/** What we use of the `sip` package, which brings no types. Multi-value headers are lists; To and From are addresses. */
declare module 'sip' {
  export interface Address { name?: string | undefined; uri: string; params: Record<string, string | null | undefined> }
  export interface Flow { protocol: string; address: string; port: number; local: { address: string; port: number } }
  export interface Headers {
    via: { params: Record<string, string | null | undefined> }[];
    to: Address; from: Address; 'call-id': string; cseq: { seq: number; method: string };
    contact?: Address[] | '*' | undefined; authorization?: Record<string, string>[] | undefined; 'proxy-authorization'?: Record<string, string>[] | undefined;
    expires?: string | number | undefined; 'content-type'?: string | undefined; route?: { uri: unknown }[] | undefined; 'record-route'?: { uri: string }[] | undefined;
    [name: string]: unknown;
  }
  export interface Request { method: string; uri: string; version?: string; headers: Headers; content?: string }
  export interface Response { status: number; reason?: string; version?: string; headers: Headers; content?: string }
  export interface Stack { send(message: Request, answered?: (response: Response) => void): void; send(message: Response): void; encodeFlowUri(flow: Flow): object; destroy(): void }
  export function create(options: object, received: (request: Request, from: Flow) => void): Stack;
  export function makeResponse(request: Request, status: number, reason?: string, extension?: { headers?: Record<string, unknown>; content?: string }): Response;
  export function parseUri(uri: string): { user?: string; host: string; port: number; params: Record<string, string | null> } | undefined;
  const sip: { create: typeof create; makeResponse: typeof makeResponse; parseUri: typeof parseUri };
  export default sip;
}

/** Mail as it leaves. `key` makes sending twice boring. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  key?: string | undefined;
  /** Where the reader says that they want no more of these. */ unsubscribe?: string | undefined;
  attachments?: { name: string; contentType: string; bytes: Buffer }[];
}
/** Throws when the mail server did not take it; `Undeliverable` when it never will. */
export interface MailGateway {
  readonly name: string;
  send(mail: Mail): Promise<void>;
}
/** The recipient's address was refused for good: trying again is of no use. */
export class UndeliverableError extends Error {
  override name = 'Undeliverable';
}

/** Mail that leaves. `key` makes sending twice boring. */
export interface Mail { to: string; subject: string; text: string; html: string; key?: string | undefined; /** Where the reader says that they want no more of these. */ unsubscribe?: string | undefined; attachments?: { name: string; contentType: string; bytes: Buffer }[] }
export interface MailPort { readonly name: string; send(mail: Mail): Promise<void> }

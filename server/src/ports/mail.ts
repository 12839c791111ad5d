/** Mail that leaves. `key` makes sending twice boring. */
export interface Mail { to: string; subject: string; text: string; html: string; key?: string | undefined; attachments?: { name: string; contentType: string; bytes: Buffer }[] }
export interface MailPort { readonly name: string; send(mail: Mail): Promise<void> }

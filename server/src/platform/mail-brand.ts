import { sql } from 'kysely';
import type { Mail, MailSender } from '../gateways/mail.ts';
import type { Ctx } from './context.ts';
import { escapeHtml } from './html.ts';
import { unseal } from './secrets.ts';

interface MailBrand {
  name: string | null;
  email: string | null;
  verified: boolean;
  dkim_key_sealed: string | null;
  footer: string | null;
  app_host: string | null;
  logo: string | null;
  color: string | null;
}

/**
 * The mail in the look of its company, or of its recipient's only organization (A21): sender, logo,
 * footer, and links to the custom domain. As it is where there is no such look.
 * @param companyId whom it is sent for; null: for a person, such as a sign-in code
 */
export async function inBrand(ctx: Ctx, companyId: number | null, mail: Mail): Promise<Mail> {
  const { rows } = await sql<MailBrand>`select * from mail_brand(${companyId}, ${mail.to})`.execute(
    ctx.db.unscoped,
  );
  const [brand] = rows;
  if (!brand) return mail;
  const { publicUrl } = ctx.settings;
  const address = addressOf(publicUrl, brand.app_host);
  const toBrand = (text: string) => leadTo(text, publicUrl, address);
  const { unsubscribe } = mail;
  return {
    ...mail,
    ...(brand.name && { from: senderOf(ctx, brand.name, brand) }),
    ...(unsubscribe && { unsubscribe: toBrand(unsubscribe) }),
    text: toBrand(mail.text) + (brand.footer ? `\n\n-- \n${brand.footer}` : ''),
    html: dress(toBrand(mail.html), brand, address),
  };
}

function senderOf(ctx: Ctx, name: string, brand: MailBrand): MailSender {
  const { email, verified, dkim_key_sealed: key } = brand;
  const domainName = email?.split('@')[1];
  return {
    name,
    address: verified ? email : null,
    replyTo: email,
    dkim:
      verified && key && domainName
        ? {
            domainName,
            keySelector: 'trunkline',
            privateKey: unseal(ctx.settings.appSecrets, key),
          }
        : null,
  };
}

/** The address of the app at a custom domain; without one, the installation's. */
function addressOf(publicUrl: string, appHost: string | null): string {
  if (!appHost) return publicUrl;
  const url = new URL(publicUrl);
  url.hostname = appHost;
  return url.origin;
}

/** The text with links that lead to another address of this installation. */
function leadTo(text: string, from: string, to: string): string {
  if (from === to) return text;
  const origin = from.replaceAll('.', String.raw`\.`);
  // Whole origins only: https://a.example isn't the start of https://a.example.org.
  return text.replaceAll(new RegExp(String.raw`${origin}(?![\w:-]|\.\w)`, 'g'), () => to);
}

/** HTML between the brand's logo and its footer. */
function dress(html: string, { logo, name, color, footer }: MailBrand, address: string): string {
  const line = color && /^#[0-9a-f]{6}$/i.test(color) ? `border-top:4px solid ${color};` : '';
  // On white in every mail program: a logo for light backgrounds vanishes on dark ones.
  const head = logo
    ? `<div style="${line}background:#ffffff;padding:16px 20px"><img src="${escapeHtml(address + logo)}" alt="${escapeHtml(name ?? '')}" height="40" style="display:block;height:40px;width:auto;max-width:240px;border:0"></div>`
    : line && `<div style="${line}"></div>`;
  const foot = footer
    ? `<p style="color:#64748b;font-size:12px">${escapeHtml(footer).replaceAll('\n', '<br>')}</p>`
    : '';
  return head || foot
    ? `<div style="max-width:600px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:1.5">${head}<div style="padding:8px 20px">${html}${foot}</div></div>`
    : html;
}

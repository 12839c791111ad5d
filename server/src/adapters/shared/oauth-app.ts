import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';

/** The operator's app at a vendor, by which companies connect their accounts there. */
export interface OAuthApp {
  clientId: string;
  clientSecret: string;
  /** Origin every request of signing in goes to instead of the vendor's own hosts; null: theirs. */
  apiUrl: string | null;
}

/**
 * The settings of such an app: `PREFIX_CLIENT_ID`, `PREFIX_CLIENT_SECRET` and `PREFIX_API_URL`. It is null
 * where none is set: then only a simulated account can be connected, in the demo.
 * @param about what follows "client ID of your app there" in its description
 */
export function oauthAppSettings(
  adapter: string,
  {
    prefix,
    label,
    about = '',
    example,
    api,
  }: { prefix: string; label: string; about?: string; example: string; api: string },
) {
  const [id, secret, apiName] = [
    `${prefix}_CLIENT_ID`,
    `${prefix}_CLIENT_SECRET`,
    `${prefix}_API_URL`,
  ];
  const redirect = `PUBLIC_URL/api/oauth-integrations/${adapter}/callback`;
  return adapterSettings(
    adapter,
    {
      [id]: variable(
        text.optional(),
        '',
        `${label}: client ID of your app there; with its secret, companies can connect their accounts. Its redirect URL is \`${redirect}\`${about}`,
        { example },
      ),
      [secret]: variable(text.optional(), '', `${label}: that app’s client secret`, {
        example: '…',
        secret: true,
      }),
      [apiName]: variable(
        url('http:', 'https:').optional(),
        '',
        `${label}: URL that its sign-in goes to; only for tests and proxies`,
        { example: api, internal: true, secret: true },
      ),
    },
    (read, { problem }): { app: OAuthApp | null } => {
      const [clientId, clientSecret] = [read(id), read(secret)];
      if ((clientId === undefined) !== (clientSecret === undefined))
        problem(`${id} and ${secret} belong together. Set both, or neither`);
      if (!clientId || !clientSecret) return { app: null };
      return {
        app: { clientId, clientSecret, apiUrl: read(apiName)?.replace(/\/+$/, '') ?? null },
      };
    },
  );
}

/** A site at Maxio. */
export interface MaxioAccount {
  apiKey: string;
  /** The handle of the free product that companies are subscribed to. */
  product: string;
  /** Of Chargify.js; the private one signs card forms. Null: they aren't signed. */
  publicKey: string;
  privateKey: string | null;
  /** Signs webhooks. Null: none are taken. */
  sharedKey: string | null;
  /** Origin of the site, or of a stand-in. */
  siteUrl: string;
}

import { createHash } from 'node:crypto';

/**
 * Our names at a payment provider. Several installations can share an account, so that a name also tells the
 * installation.
 */
export function paymentNames(publicUrl: string) {
  const place = createHash('sha256').update(publicUrl).digest('hex').slice(0, 12);
  return {
    of: (key: string): string => `${place}-${key}`,
    ofCompany: (companyId: number): string => `${place}-company-${companyId}`,
    /** Our key; null: it names something of another installation. */
    keyOf: (name: string | undefined): string | null =>
      name?.startsWith(`${place}-`) ? name.slice(place.length + 1) : null,
  };
}

import { emailAddress } from '#contract/email-address';
import { z } from 'zod';

/** What a provider says of a person in an ID token; more is ignored. */
export const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: emailAddress.nullish().catch(null),
  // Some send it as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish().catch(null),
  given_name: z.string().nullish().catch(null),
  family_name: z.string().nullish().catch(null),
  // The organization that manages an account of Google's.
  hd: z.string().nullish().catch(null),
  tid: z.string().nullish().catch(null),
  xms_edov: z
    .union([z.boolean(), z.stringbool(), z.literal(1).transform(() => true)])
    .nullish()
    .catch(null),
});
export type IdentityClaims = z.infer<typeof Claims>;

/**
 * The person whom claims name.
 * @param isVerified whether the address is proven to be theirs; left out: as `email_verified` says
 */
export const personOf = (
  claims: IdentityClaims,
  isVerified: boolean = claims.email_verified === true,
) => ({
  subject: claims.sub,
  verifiedEmail: (isVerified && claims.email?.toLowerCase()) || null,
  firstName: claims.given_name?.slice(0, 100) ?? '',
  lastName: claims.family_name?.slice(0, 100) ?? '',
});

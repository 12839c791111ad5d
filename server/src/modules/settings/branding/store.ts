import type { Insertable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

/** Whose brand: a company's or an organization's. */
export interface BrandOwner {
  company_id: number | null;
  organization_id: number | null;
}

/** A picture by its token. Undefined: none, or it was replaced. */
export const pictureBy = (db: Tx, token: string) =>
  db.selectFrom('branding_picture').select('bytes').where('token', '=', token).executeTakeFirst();

/** Removes an owner's picture of this kind. */
export const deletePicture = (tx: Tx, owner: BrandOwner, kind: string) =>
  tx
    .deleteFrom('branding_picture')
    .where('company_id', 'is not distinct from', owner.company_id)
    .where('organization_id', 'is not distinct from', owner.organization_id)
    .where('kind', '=', kind)
    .execute();
/** Stores a picture. */
export const insertPicture = (tx: Tx, row: Insertable<Tables['branding_picture']>) =>
  tx.insertInto('branding_picture').values(row).execute();

import { z } from 'zod';
import { id } from '../../schemas.ts';

/** An invitation was sent, resent, withdrawn or accepted. */
export const invitationChanged = z.object({ companyId: id, invitationId: id });

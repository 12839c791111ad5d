import { z } from 'zod';
import { id } from '../../schemas.ts';

export const reportLinksChanged = z.object({ companyId: id, linkId: id });

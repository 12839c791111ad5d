import { z } from 'zod';
import { id } from '../../schemas.ts';

export const phraseListsChanged = z.object({ companyId: id });

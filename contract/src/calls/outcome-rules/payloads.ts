import { z } from 'zod';
import { id } from '../../schemas.ts';

export const outcomeRulesChanged = z.object({ companyId: id });

import { z } from 'zod';
import { id } from '../../schemas.ts';

export const personalAccessTokensChanged = z.object({ companyId: id });

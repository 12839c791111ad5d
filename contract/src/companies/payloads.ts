import { z } from 'zod';
import { id } from '../schemas.ts';

export const companyChanged = z.object({ companyId: id });

export const companyUserChanged = z.object({ companyId: id, userId: id });

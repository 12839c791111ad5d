import { z } from 'zod';
import { id } from '../../schemas.ts';

export const sourceReportSaved = z.object({ companyId: id, reportId: id });

export const sourceReportDeleted = z.object({ companyId: id, reportId: id });

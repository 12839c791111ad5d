import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'company_import.not_archive': {
    status: 422,
    text: 'This file isn’t an archive of a company.',
  },
  'company_import.too_large': {
    status: 422,
    text: 'Archives can have up to {megabytes} MB here (ARCHIVE_MB).',
  },
  'company_import.busy': {
    status: 409,
    text: 'Another archive is uploaded, checked or imported right now. Wait, or discard it.',
  },
  'company_import.part': {
    status: 409,
    text: 'This part doesn’t follow the last one. Continue at received_bytes.',
  },
  'company_import.not_ready': {
    status: 409,
    text: 'This archive isn’t ready for that. Check it again.',
  },
  'company_import.running': {
    status: 409,
    text: 'The import is running. Wait until it ends.',
  },
  'company_import.kept': {
    status: 409,
    text: 'This import is kept as a record of who did it.',
  },
  'company_import.gone': {
    status: 409,
    text: 'The uploaded file was deleted. Upload the archive again.',
  },
} as const satisfies ErrorTexts;

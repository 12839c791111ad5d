import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';
import { uploadKeptDays } from './rules.ts';
import { companyImport, type CompanyImport } from './schemas.ts';

const example: CompanyImport = {
  id: 71,
  file: { name: 'harbor-dental-2026-11-28.zip', bytes: 48_211_904 },
  state: 'ready',
  received_bytes: 48_211_904,
  part_bytes: 8_388_608,
  progress: 100,
  report: {
    company: { id: 1, name: 'Harbor Dental', slug: 'harbor-dental' },
    written_at: '2026-11-28T09:15:04.000Z',
    sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    counts: [
      { kind: 'users', rows: 5 },
      { kind: 'numbers', rows: 14 },
      { kind: 'contacts', rows: 320 },
      { kind: 'other', rows: 6120 },
    ],
    rows: 6459,
    files: 88,
    missing_files: 0,
    new_people: 5,
    known_people: 0,
    disabled_people: 1,
    erased_numbers: 0,
    erased_accounts: 0,
    waiting: { campaigns: 0, scheduled: 2, overdue: 0 },
  },
  reasons: [],
  failure: null,
  has_file: true,
  created_by: { id: 9, name: 'Sam Staff' },
  imported_by: null,
  created_at: '2026-11-28T10:02:00.000Z',
  finished_at: null,
  delete_at: '2026-12-05T10:02:00.000Z',
};
const begun: CompanyImport = {
  ...example,
  state: 'uploading',
  received_bytes: 0,
  progress: 0,
  report: null,
};
const params = z.object({ id });
const answer = one(companyImport);
const ofOne = { params: { id: 71 } };

export const listCompanyImports = operation({
  summary: 'List the archives that were uploaded to import companies; for platform staff',
  answer: z.object({ data: z.array(companyImport).meta({ description: 'The newest 50' }) }),
  example: { answer: { data: [example] } },
});

export const createCompanyImport = operation({
  summary:
    'Begin the upload of a company’s archive. Parts follow; with the last one it is checked by a dry run',
  status: 201,
  body: z.object({
    name: z.string().trim().min(1, 'Enter the name of the file.').max(200),
    bytes: z.number().int().min(1, 'The file is empty.'),
  }),
  errors: ['company_import.too_large', 'company_import.busy'],
  answer,
  example: {
    body: { name: example.file.name, bytes: example.file.bytes },
    answer: { data: begun },
  },
});

export const getCompanyImport = operation({
  summary: 'Get how far an uploaded archive is: its upload, its check, its import',
  params,
  answer,
  example: { ...ofOne, answer: { data: example } },
});

export const uploadCompanyImportPart = operation({
  summary: 'Upload the next part of an archive. A part that arrived before changes nothing',
  params,
  body: z.object({
    offset: z.coerce.number().int().min(0).meta({ description: 'Bytes before this part' }),
    part: z.unknown().optional().meta({ description: 'The bytes, as multipart', format: 'binary' }),
  }),
  errors: ['company_import.not_archive', 'company_import.part'],
  answer,
  example: {
    ...ofOne,
    body: { offset: 0 },
    answer: { data: { ...begun, received_bytes: 8_388_608 } },
  },
});

export const checkCompanyImport = operation({
  summary: 'Check an uploaded archive again, such as after what was in its way is gone',
  status: 202,
  params,
  errors: ['company_import.busy', 'company_import.not_ready', 'company_import.gone'],
  answer,
  example: { ...ofOne, answer: { data: { ...example, state: 'queued', report: null } } },
});

export const startCompanyImport = operation({
  summary: `Import a checked archive: all of it or nothing. The upload is deleted afterwards, or after ${uploadKeptDays} days`,
  status: 202,
  params,
  errors: ['company_import.busy', 'company_import.not_ready', 'company_import.gone'],
  answer,
  example: { ...ofOne, answer: { data: { ...example, state: 'importing', progress: 0 } } },
});

export const deleteCompanyImport = operation({
  summary: 'Discard an uploaded archive that wasn’t imported',
  status: 204,
  params,
  errors: ['company_import.running', 'company_import.kept'],
  answer: empty,
  example: ofOne,
});

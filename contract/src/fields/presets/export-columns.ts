/** The columns of each export, in display order. */

const partyColumns = {
  number: 'Number',
  number_label: 'Label',
  party: 'Other party',
  contact: 'Contact',
} as const;

const sourceColumns = {
  source: 'Source',
  medium: 'Medium',
  source_campaign: 'Campaign',
  keyword: 'Keyword',
  landing_page: 'Landing page',
  visits: 'Visits',
} as const;

export const exportColumns = {
  calls: {
    started_at: 'Started',
    direction: 'Direction',
    ...partyColumns,
    caller_name: 'Caller name',
    caller_city: 'City',
    caller_state: 'State',
    outcome: 'Outcome',
    status: 'Status',
    answered_by: 'Answered by',
    ring_seconds: 'Ring (s)',
    talk_seconds: 'Talk (s)',
    duration_seconds: 'Duration (s)',
    over_30: 'Over 30 s',
    over_90: 'Over 90 s',
    over_120: 'Over 120 s',
    over_300: 'Over 300 s',
    answered_at: 'Answered',
    ended_at: 'Ended',
    first_contact: 'First contact',
    extension: 'Extension',
    extension_label: 'Extension label',
    tags: 'Tags',
    note: 'Note',
    qualified: 'Qualified',
    lead: 'Lead',
    outcome_tags: 'Outcomes',
    department: 'Department',
    value: 'Value (USD)',
    spam: 'Spam',
    recorded: 'Recorded',
    transcript: 'Transcript',
    summary: 'Summary',
    ...sourceColumns,
    conversation_id: 'Conversation id',
    id: 'Call id',
  },
  messages: {
    at: 'Time',
    direction: 'Direction',
    ...partyColumns,
    content: 'Text',
    delivery_state: 'Delivery',
    error: 'Why it failed',
    segments: 'Segments',
    encoding: 'Encoding',
    media: 'Files',
    sent_by: 'Sent by',
    automatic: 'Automatic',
    ...sourceColumns,
    read_at: 'Read',
    archived: 'Archived',
    conversation_id: 'Conversation id',
    id: 'Message id',
  },
  voicemails: {
    at: 'Time',
    ...partyColumns,
    duration_seconds: 'Duration (s)',
    transcript: 'Transcript',
    read_at: 'Heard',
    archived: 'Archived',
    call_id: 'Call id',
    conversation_id: 'Conversation id',
    id: 'Voicemail id',
  },
  fax: {
    at: 'Time',
    direction: 'Direction',
    ...partyColumns,
    pages: 'Pages',
    state: 'State',
    error: 'Why it failed',
    name: 'Document',
    sent_by: 'Sent by',
    read_at: 'Read',
    conversation_id: 'Conversation id',
    id: 'Fax id',
  },
} as const;

export type ExportEntity = keyof typeof exportColumns;

export type ColumnOf<E extends ExportEntity> = keyof (typeof exportColumns)[E];

/** Columns of an export when none were chosen. */
export const defaultColumns: { readonly [E in ExportEntity]: readonly ColumnOf<E>[] } = {
  calls: [
    'started_at',
    'direction',
    'number',
    'number_label',
    'party',
    'contact',
    'outcome',
    'answered_by',
    'ring_seconds',
    'talk_seconds',
    'duration_seconds',
    'tags',
    'note',
  ],
  messages: [
    'at',
    'direction',
    'number',
    'number_label',
    'party',
    'contact',
    'content',
    'delivery_state',
    'sent_by',
  ],
  voicemails: [
    'at',
    'number',
    'number_label',
    'party',
    'contact',
    'duration_seconds',
    'transcript',
    'read_at',
  ],
  fax: ['at', 'direction', 'number', 'number_label', 'party', 'contact', 'pages', 'state', 'name'],
};

export const fileFormats = { csv: 'CSV', xlsx: 'Excel (XLSX)', jsonl: 'JSON lines' } as const;

export type FileFormat = keyof typeof fileFormats;

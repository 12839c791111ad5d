import { IconFileText, IconMessage, IconPhone, IconRecordMail } from '@tabler/icons-react';
import type { ActivityKind } from '#contract/conversations/rules';

/** The activity lists by the last segment of their path: `/activity/calls`. */
export const activityLists = {
  calls: {
    kind: 'call',
    label: 'Calls',
    icon: IconPhone,
    permission: 'calls.view',
    emptyTitle: 'No calls yet',
    emptyText: 'Everyone who calls one of your numbers, and every call you make, appears here.',
  },
  messages: {
    kind: 'message',
    label: 'Messages',
    icon: IconMessage,
    permission: 'inbox.view',
    emptyTitle: 'No messages yet',
    emptyText: 'Texts and pictures, received and sent, appear here.',
  },
  voicemails: {
    kind: 'voicemail',
    label: 'Voicemails',
    icon: IconRecordMail,
    permission: 'calls.view',
    emptyTitle: 'No voicemails yet',
    emptyText: 'Messages callers leave appear here, with audio and transcript.',
  },
  fax: {
    kind: 'fax',
    label: 'Fax',
    icon: IconFileText,
    permission: 'inbox.view',
    emptyTitle: 'No faxes yet',
    emptyText: 'Faxes to and from your fax numbers appear here.',
  },
} as const satisfies Record<
  string,
  {
    kind: ActivityKind;
    label: string;
    icon: unknown;
    permission: string;
    emptyTitle: string;
    emptyText: string;
  }
>;
export type ActivityListName = keyof typeof activityLists;
/** Whether an address names one of the activity lists. */
export const isActivityList = (name: string): name is ActivityListName => name in activityLists;

/** Release notes, newest first. `day` in UTC. */
export const releaseNotes: { day: string; title: string; lines: string[] }[] = [
  {
    day: '2026-11-28',
    title: 'Teams, single sign-on and working hours',
    lines: [
      'Put people in teams. Routes ring a team, calls are transferred and conversations assigned to one, and new members are rung at once.',
      'Organizations sign people in through Google Workspace, Microsoft Entra ID, Okta or any OpenID provider, and can make it the only way in.',
      'Screen spam calls, text back missed callers, follow US holidays, and get your figures by email: it’s all in Settings, General.',
      'Set working hours and do not disturb for yourself. Change many people at once, and invite them from a file.',
    ],
  },
  {
    day: '2026-11-27',
    title: 'Alerts, integrations and Caddy',
    lines: [
      'Alerts watch your calls, texts, websites and accounts, and tell you by push, email or Slack. Each one says what to do.',
      'Connect HubSpot, Salesforce, GoHighLevel, Slack, Google Analytics and your ad accounts. Calls that count become conversions.',
      'See when phones show one of your numbers as spam, and what helps.',
      'Caddy gives one person a second number, with calls, texts and voicemail.',
    ],
  },
  {
    day: '2026-11-24',
    title: 'Tracking, reports and billing',
    lines: [
      'Tracking pools show each visitor of your website their number, so every call says which ad it came from.',
      'A dashboard says what changed and why. Save it, compare periods, print it.',
      'See in calls what was said: phrases, outcomes and summaries, each with the sentence it rests on.',
      'Plans, usage and invoices are on one page. Nothing is charged in the demo.',
    ],
  },
  {
    day: '2026-11-22',
    title: 'People, organizations and campaigns',
    lines: [
      'Invite people, give roles, and sign in with passkeys, an authenticator app, Google or Microsoft.',
      'Run several companies in one organization, under your brand and domain.',
      'Send text campaigns that respect opt-outs and quiet hours, from numbers registered for texting.',
      'Port your numbers, send faxes, and see every change in the audit log.',
    ],
  },
  {
    day: '2026-11-21',
    title: 'A number, a call, a text',
    lines: [
      'Buy a number and route its calls: a menu, people in order or all at once, the browser, voicemail, business hours.',
      'Answer calls in the browser. Recordings, voicemails and transcripts are on the call’s record.',
      'One inbox for texts, calls, voicemails and notes, live for everyone in the company.',
      'Try everything without a carrier: the virtual handset plays the outside world.',
      'Press ? for keyboard shortcuts and Ctrl K (⌘ K) to find anything.',
    ],
  },
];

/** Whether a note of this day is newer than the person's last visit; null: never visited. */
export const isUnreadNote = (day: string, readAt: string | null): boolean =>
  readAt === null || `${day} 23:59:59` > readAt;

/** Whether any release note is unread. */
export const hasUnreadNotes = (readAt: string | null): boolean =>
  releaseNotes.some((note) => isUnreadNote(note.day, readAt));

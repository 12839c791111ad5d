/** Release notes, newest first. `day` in UTC. */
export const releaseNotes: { day: string; title: string; lines: string[] }[] = [
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

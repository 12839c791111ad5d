import type { DriveStep } from 'driver.js';
import { t } from '#ui';
import css from './tour.module.css';

/** The tour's steps. Those about what the role can't see have no element and are left out. */
const tourSteps = (): DriveStep[] =>
  [
    [
      '[data-tour=inbox]',
      t('One inbox for everything'),
      t(
        'Texts, calls, voicemails and faxes with a person are in one thread. New activity appears live.',
      ),
      'right',
    ],
    [
      '[data-tour=phone]',
      t('Your phone'),
      t(
        'Calls ring here on every screen. Set yourself to Away when you don’t want to be disturbed.',
      ),
      'right',
    ],
    [
      '[data-tour=handset]',
      t('Test phone'),
      t('Text and call your own numbers from outside, with no carrier needed.'),
      'bottom',
    ],
    [
      '[data-tour=numbers]',
      t('Numbers and call routing'),
      t(
        'Open a number to set who rings, when, and what callers hear. “Try it” shows what would happen to a call.',
      ),
      'right',
    ],
    [
      '[data-tour=find]',
      t('Find anything'),
      t('Find people, numbers, screens and commands from the keyboard. Press ? for all shortcuts.'),
      'right',
    ],
  ].map(([element, title, description, side]) => ({
    element: element!,
    popover: {
      title: title!,
      description: description!,
      side: side as 'right' | 'bottom',
      align: 'start' as const,
    },
  }));

const tourStorageKey = (userId: number): string => `trunkline.tour.${userId}`;
/** The tour is offered once per person and browser; it is always in the user menu. */
export const isTourUnseen = (userId: number): boolean =>
  localStorage.getItem(tourStorageKey(userId)) === null;
/** Remembers in this browser that the user saw the tour. */
export const markTourSeen = (userId: number): void =>
  localStorage.setItem(tourStorageKey(userId), '1');

/**
 * Starts the tour. Nothing is covered or locked: it can be ended at any time, and the screen keeps
 * working.
 */
export async function startTour(userId: number): Promise<void> {
  markTourSeen(userId);
  const [{ driver }] = await Promise.all([
    import('driver.js'),
    import('driver.js/dist/driver.css'),
  ]);
  const steps = tourSteps().filter(
    (s) => (document.querySelector<HTMLElement>(s.element as string)?.offsetHeight ?? 0) > 0,
  );
  if (steps.length === 0) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  driver({
    steps,
    animate: !calm,
    duration: 120,
    overlayOpacity: 0,
    allowClose: true,
    disableActiveInteraction: false,
    stagePadding: 4,
    popoverClass: css.popover!,
    showProgress: true,
    progressText: t('{n} of {all}', { n: '{{current}}', all: '{{total}}' }),
    nextBtnText: t('Next'),
    prevBtnText: t('Back'),
    doneBtnText: t('Done'),
    overlayClickBehavior: () => {},
  }).drive();
  // The library disables the page below; here it keeps working.
  document.body.classList.remove('driver-active');
}

import css from './AppFrame.module.css';

interface AppFrameProps {
  /** Where the name leads: the start of the application. */
  href: string;
  name: string;
  /** The application's mark, 24 px square. */
  mark: React.ReactNode;
  /** On the right of the header, for example who is signed in. */
  aside?: React.ReactNode;
  children: React.ReactNode;
}

/** A header with the application's name above its page: the frame of the smaller applications. */
export function AppFrame({ href, name, mark, aside, children }: AppFrameProps) {
  return (
    <div className={css.frame}>
      <header className={css.head}>
        <a href={href} className={css.mark}>
          {mark}
          {name}
        </a>
        {aside && <span className={css.aside}>{aside}</span>}
      </header>
      <main className={css.main}>{children}</main>
    </div>
  );
}

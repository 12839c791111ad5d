import css from './AppFrame.module.css';

interface AppFrameProps {
  /** URL of the application's home page; the name links to it. */
  href: string;
  name: string;
  /** The application's logo, 24 px square. */
  mark: React.ReactNode;
  /** At the right of the header, such as the signed-in person. */
  aside?: React.ReactNode;
  /** Above the header: the state that the whole application is in. */
  banner?: React.ReactNode;
  children: React.ReactNode;
}

/** A page under a header with the application's name: the frame of the smaller applications. */
export function AppFrame({ href, name, mark, aside, banner, children }: AppFrameProps) {
  return (
    <div className={css.frame}>
      {banner}
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

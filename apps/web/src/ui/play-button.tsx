/** A button over a whole video, with a sign in its middle that is hidden while the video plays. */
import { UnstyledButton } from '@mantine/core';
import { IconPlayerPlayFilled } from './icons/index.ts';
import classes from './play-button.module.css';

interface PlayButtonProps {
  label: string;
  isPlaying?: boolean;
  /** Added to its own. */
  className?: string | undefined;
  onClick(): void;
}

export function PlayButton({ label, isPlaying = false, className = '', onClick }: PlayButtonProps) {
  return (
    <UnstyledButton className={`${classes.button} ${className}`} onClick={onClick} aria-label={label}>
      {!isPlaying && (
        <span className={classes.disc}>
          <IconPlayerPlayFilled size={26} aria-hidden />
        </span>
      )}
    </UnstyledButton>
  );
}

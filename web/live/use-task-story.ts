import { useEffect, useState } from "preact/hooks";
import { announce } from "./announce.ts";
import { followEvents } from "./follow-events.ts";
import { TaskStory } from "./task-story.ts";

export interface LiveStory {
  story: TaskStory;
  live: boolean;
}

/** The story of a task as it grows. The page is drawn at most once for each frame, however many events come. */
export function useTaskStory(task: string): LiveStory {
  const [state, setState] = useState<LiveStory & { round: number }>(() => begin());
  useEffect(() => {
    const ended = new AbortController();
    const { story } = begin();
    let live = false;
    let isAsked = false;
    const draw = () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        if (!ended.signal.aborted) setState(({ round }) => ({ story, live, round: round + 1 }));
      });
    };
    setState({ ...begin(), story });
    const isOld = Date.now();
    void followEvents(
      task,
      {
        events: (batch) => {
          for (const event of batch) story.add(event);
          const line = story.feed.at(-1);
          // What was before the page was opened is not news.
          if (line && line.at > isOld && line.tone !== "quiet") announce(line.words);
          draw();
        },
        live: (isLive) => {
          live = isLive;
          draw();
        },
      },
      ended.signal,
    );
    return () => ended.abort();
  }, [task]);
  return state;
}

const begin = () => ({ story: new TaskStory(), live: false, round: 0 });

//! Automatic quality.

use crate::descriptor::QualitySemantic;

/// Stable samples over budget before quality goes down.
pub const DOWN_AFTER: u32 = 180;
/// Stable samples well under the next budget before quality goes up.
pub const UP_AFTER: u32 = 900;
/// Frames after a change in which nothing is counted.
pub const COOLDOWN: u32 = 300;
/// How much of the next level's budget may be used for going up.
pub const HEADROOM: f64 = 0.7;

/// What a sample leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing changes.
    Stay,
    /// Another level.
    Change(QualitySemantic),
    /// Over budget at the lowest level.
    Retail,
}

/// The governor between Low, Medium and High.
#[derive(Clone, Debug)]
pub struct AutoQuality {
    level: usize,
    over: u32,
    under: u32,
    cooldown: u32,
}

const LEVELS: [QualitySemantic; 3] = [QualitySemantic::Low, QualitySemantic::Medium, QualitySemantic::High];

impl Default for AutoQuality {
    fn default() -> Self {
        AutoQuality::new(QualitySemantic::Medium)
    }
}

impl AutoQuality {
    /// Starts at a level; anything but Low and High is Medium.
    pub fn new(level: QualitySemantic) -> Self {
        let level = LEVELS.iter().position(|l| *l == level).unwrap_or(1);
        AutoQuality { level, over: 0, under: 0, cooldown: 0 }
    }

    /// The level as it is.
    pub fn level(&self) -> QualitySemantic {
        LEVELS[self.level]
    }

    /// Takes one sample in milliseconds, with the budgets of Low, Medium and High.
    pub fn sample(&mut self, milliseconds: f64, budgets: [f64; 3]) -> Step {
        if self.cooldown > 0 {
            self.cooldown -= 1;
            return Step::Stay;
        }
        let over = milliseconds > budgets[self.level];
        let room = budgets.get(self.level + 1).is_some_and(|b| milliseconds <= b * HEADROOM);
        self.over = if over { self.over + 1 } else { 0 };
        self.under = if !over && room { self.under + 1 } else { 0 };
        if self.over >= DOWN_AFTER {
            if self.level == 0 {
                return Step::Retail;
            }
            return self.change(self.level - 1);
        }
        if self.under >= UP_AFTER {
            return self.change(self.level + 1);
        }
        Step::Stay
    }

    fn change(&mut self, level: usize) -> Step {
        *self = AutoQuality { level, over: 0, under: 0, cooldown: COOLDOWN };
        Step::Change(LEVELS[level])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_down_up_and_away() {
        let budgets = [1.0, 2.0, 3.0];
        let mut q = AutoQuality::default();
        let mut run = |ms: f64, n: u32| (0..n).map(|_| q.sample(ms, budgets)).find(|s| *s != Step::Stay);
        assert_eq!(run(2.5, DOWN_AFTER - 1), None);
        assert_eq!(run(1.9, 1), None);
        assert_eq!(run(2.5, DOWN_AFTER), Some(Step::Change(QualitySemantic::Low)));
        assert_eq!(run(0.9, COOLDOWN + UP_AFTER - 1), None);
        assert_eq!(run(0.9, 1), Some(Step::Change(QualitySemantic::Medium)));
        assert_eq!(run(9.0, COOLDOWN + DOWN_AFTER), Some(Step::Change(QualitySemantic::Low)));
        assert_eq!(run(9.0, COOLDOWN + DOWN_AFTER), Some(Step::Retail));
    }
}

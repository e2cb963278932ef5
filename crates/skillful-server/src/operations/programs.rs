//! Installing the programs that a skill needs.

use skillful_guard::Verdict;
use skillful_manage::contract::DepsDocument;
use skillful_manage::deps::{self, Consent, HttpWeb, Places, PlanError, Wishes};
use skillful_manage::progress::Silent;
use skillmd::install::InstallKind;

use super::Answer;
use super::read::find;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;

impl Engine {
    /// How the programs that a skill needs can be had, and, unless it is only to be planned, having them: without a
    /// terminal, with no more rights than the server has. A skill that the guard has doubts about is for a person to
    /// decide about.
    ///
    /// # Errors
    ///
    /// When nothing may be run for the skill; nothing was installed then.
    pub fn install_programs(
        &self,
        id: &str,
        specs: &[String],
        is_planned_only: bool,
    ) -> Result<Answer<DepsDocument<'static>>, Failure> {
        let snapshot = self.snapshot()?;
        let skill = find(&snapshot, id)?;
        let settings = self.settings();
        let places = Places::new(&settings.host, &settings.options, false);
        let preferred = snapshot.setup().config.preferred_installers();
        let wishes = Wishes {
            prefer: preferred
                .iter()
                .filter_map(|name| name.parse::<InstallKind>().ok())
                .collect(),
            specs: specs.to_vec(),
            sha256: None,
        };
        let plan = deps::plan(skill, &places, &wishes).map_err(|error| match error {
            PlanError::UnknownSpec { .. } => Failure::new(FailureKind::Invalid, error),
            PlanError::Changing(_) => Failure::new(FailureKind::Conflict, error),
        })?;
        let is_idle = plan.steps().next().is_none();
        if is_planned_only || is_idle && plan.refused.is_none() {
            return Ok(Answer::of(&DepsDocument::new(&plan, None))?.typed());
        }
        let by_person = || {
            format!(
                "a person decides with `skillful deps {} --install`",
                skill.id
            )
        };
        if let Some(refused) = &plan.refused {
            return Err(Failure::new(FailureKind::Refused, refused).hint(by_person()));
        }
        if skill.verdict() != Some(Verdict::Safe) {
            let message = format!("the guard does not call `{}` safe", skill.id);
            return Err(Failure::new(FailureKind::Refused, message).hint(by_person()));
        }
        let timeout = limits::PROGRAMS;
        let consent = Consent {
            digest: plan.digest.clone().unwrap_or_default(),
            timeout,
        };
        let web = HttpWeb::new(timeout);
        let report = deps::apply(&plan, skill, &consent, &places, &web, &Silent)
            .map_err(|error| Failure::new(FailureKind::Conflict, error).hint(by_person()))?;
        self.system()?.rescan();
        Ok(Answer::of(&DepsDocument::new(&plan, Some(&report)))?.typed())
    }
}

//! The answers about infinite runs that SPIN does not give, or gets wrong, proved by brute
//! force: `models/liveness/expected.tsv`.

use std::path::PathBuf;

use spinor_check::Fairness;
use spinor_testkit::golden;
use spinor_testkit::liveness::brute::decide;

#[test]
fn brute_force_proves_what_is_expected() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/liveness");
    let rows = golden::read(&dir.join("expected.tsv")).expect("the table is there");
    assert!(rows.len() > 50, "only {} rows", rows.len());
    for row in rows {
        let source = std::fs::read_to_string(dir.join(format!("{}.pml", row.model())))
            .expect("the model is there");
        let property = row.get("property").expect("a property");
        let truth = decide(&source, &golden::defines(&source), property, 20_000);
        let truth = truth.unwrap_or_else(|why| panic!("{} {property}: {why}", row.model()));
        let fairness = match row.get("fairness") {
            Some("strong") => Fairness::Strong,
            Some("weak") => Fairness::Weak,
            _ => Fairness::None,
        };
        let expected = row.get("verdict") == Some("violated");
        assert_eq!(truth.under(fairness), expected, "{} {property} {fairness:?}", row.model());
        assert!(row.get("reason").is_some(), "{} {property} has no reason", row.model());
    }
}

use super::rank;

/// The one list puts the fields of every object in the order of its table (A-ENVELOPE to
/// A-EVIDENCE, S8.01).
#[test]
fn every_table_is_in_order() {
    let tables = [
        "tern id from to thread reply act body evidence extensions",
        "question about extensions",
        "claims extensions",
        "plan success constraints extensions",
        "action done_when constraints authority_ref replaces extensions",
        "request action deliverable done_when due conditions authority_ref extensions",
        "commitment state claims next extensions",
        "target kind objection support resolution_test extensions",
        "target previous mode reason replacement impact extensions",
        "target reason alternative extensions",
        "text basis confidence scope evidence alternatives",
        "commitment assessment reason",
        "id source collected_at method result",
        "id participants",
        "principal message",
        "principal text",
        "principal base64",
        "ref principal actions not_before expires",
        "commitment by",
        "commitment condition",
        "commitment terms",
        "commitment action causes",
    ];
    for table in tables {
        let ranks: Vec<usize> = table.split(' ').map(rank).collect();
        assert!(
            ranks.is_sorted_by(|one, other| one < other),
            "{table}: {ranks:?}"
        );
    }
}
